"""What the pages share: access, rendering, audit rows as entries, marked text, memory's health."""
