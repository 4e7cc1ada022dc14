"""Everything Assay needs on one machine, from one command: web, worker, scheduler and the embedded servers."""
