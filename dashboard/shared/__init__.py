"""What several pages share: access, rendering, query parameters, audit entries, memory's health. Imports no page."""
