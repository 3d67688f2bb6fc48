/** What the machine at hand is: processor, memory, graphics cards, Java. */
@NullMarked
package dev.halfcell.zoo.host;

import org.jspecify.annotations.NullMarked;
