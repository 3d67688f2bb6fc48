/** Recurrent layers: LSTM and GRU over whole sequences. */
@NullMarked
package dev.halfcell.op.recurrent;

import org.jspecify.annotations.NullMarked;
