"""The description of the API at `/v1/docs`: a page of this server's own, made from the OpenAPI document."""
