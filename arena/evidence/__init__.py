"""What a lane left behind, read and judged; nothing here writes."""
