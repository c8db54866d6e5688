"""What a recorded run of the project was seen to do."""
