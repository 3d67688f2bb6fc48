/** An event of a text/event-stream. */
export interface StreamEvent {
  id: string;
  name: string;
  data: string;
}

/** Cuts the text of a stream, which arrives in any pieces, into events. */
export class StreamParser {
  private rest = '';
  private lastId = '';
  private name = '';
  private data: string[] = [];

  /** The events that end within this piece. */
  push(text: string): StreamEvent[] {
    // A CR at the end may be half of a CR LF, so it waits for the next piece.
    const whole = this.rest + text;
    const held = whole.endsWith('\r') ? '\r' : '';
    const lines = whole.slice(0, whole.length - held.length).split(/\r\n|\r|\n/);
    this.rest = (lines.pop() ?? '') + held;
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): StreamEvent[] {
    if (line === '') {
      return this.dispatch();
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      this.data.push(value);
    } else if (field === 'event') {
      this.name = value;
    } else if (field === 'id' && !value.includes('\0')) {
      this.lastId = value;
    }
    return [];
  }

  private dispatch(): StreamEvent[] {
    const event = { id: this.lastId, name: this.name || 'message', data: this.data.join('\n') };
    const complete = this.data.length > 0;
    this.name = '';
    this.data = [];
    return complete ? [event] : [];
  }
}
