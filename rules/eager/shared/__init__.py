"""What several rules of the family ask."""
