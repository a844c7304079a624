"""Describes results and repository: provenance, the research-object crate, schemas, other derived files."""
