/**
 * What runs in a worker's own process, and how it talks with its server.
 *
 * <h2>The protocol</h2>
 *
 * The server listens on a socket of the Unix domain and starts {@link
 * dev.halfcell.rest.worker.WorkerProcess} with its path. Standard output and error of the worker
 * are its log and carry none of this. Either side sends frames: four bytes of length, the highest
 * first, then as many bytes of JSON, at least one and at most {@value
 * dev.halfcell.rest.worker.Frames#MOST}. A frame is {@code {"kind": …, "body": {…}}}; the kinds are
 * the records of {@link dev.halfcell.rest.worker.FromWorker} and {@link
 * dev.halfcell.rest.worker.ToWorker} by their names in lower case, bodies have exactly their
 * components. What is anything else breaks the protocol, and ends the connection.
 *
 * <ol>
 *   <li>The worker sends {@code hello} with the version of the protocol and the secret that it was
 *       handed in its environment. A connection without one is closed when a worker would be too
 *       late to start, or before that where too many are silent.
 *   <li>The server answers {@code begin} with all that there is to know of the job. From then on it
 *       may send {@code stop}, once or often.
 *   <li>The worker sends {@code beat} each second from here to its end, whatever its training does;
 *       {@code began} once, when its run is open and restored; after that {@code told} at most five
 *       times a second with what happened since.
 *   <li>At last it sends one of {@code completed}, {@code stopped} and {@code failed}, and exits.
 *       All that it speaks of lies on the disk by then.
 * </ol>
 *
 * <p>Where the second message is {@code predict}, the worker trains nothing: it runs the model of a
 * job that is trained, sends {@code predicted} or {@code failed}, no {@code beat}, and exits.
 *
 * <p>A closed connection tells each side that the other died: the worker ends at once and saves
 * nothing, for another may be about to take its place; the server waits for the process.
 */
@NullMarked
package dev.halfcell.rest.worker;

import org.jspecify.annotations.NullMarked;
