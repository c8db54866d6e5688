"""What AutoGraph makes of control flow, and what it leaves as it is. Each fact was seen by running."""
