"""What people say about lanes: blind to the arm, several raters, every change kept."""
