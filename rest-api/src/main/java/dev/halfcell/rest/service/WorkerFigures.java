package dev.halfcell.rest.service;

/**
 * What can be counted of the workers of a server.
 *
 * @param running how many train now
 * @param residentBytes the memory that they hold together, when they were looked at last
 * @param refusedConnections how often somebody connected who was no worker
 */
public record WorkerFigures(int running, long residentBytes, long refusedConnections) {}
