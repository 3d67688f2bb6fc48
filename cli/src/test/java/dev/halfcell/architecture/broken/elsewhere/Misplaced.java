package dev.halfcell.architecture.broken.elsewhere;

/** Lives in a package that the order does not name. */
public final class Misplaced {}
