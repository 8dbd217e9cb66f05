"""Our judges behind the vendor's wire contract: `POST /v1/systemone` and `GET /v1/models`."""
