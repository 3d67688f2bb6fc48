package dev.halfcell.rest.supervisor;

/** What all workers of a server have in common. */
record WorkerHouse(
    WorkerSettings settings,
    FilesWatch files,
    WorkerSocket socket,
    WorkerLauncher launcher,
    Launches launches,
    Ledger ledger,
    Recovery recovery,
    Processes processes,
    Signals signals) {}
