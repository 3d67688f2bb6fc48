package dev.halfcell.rest.worker;

/** What server and worker say to each other. */
public sealed interface Message permits FromWorker, ToWorker {}
