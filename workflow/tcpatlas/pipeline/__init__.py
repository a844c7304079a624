"""The steps of the pipeline that concern a whole project: its plan, its tables, then and now."""
