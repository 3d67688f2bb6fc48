/** Waits; rejects at once where the signal is, or gets, aborted. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', give);
      resolve();
    }, milliseconds);
    if (signal.aborted) {
      give();
    } else {
      signal.addEventListener('abort', give, { once: true });
    }
  });
}

/** How long to wait before the try of this number, from 1: longer each time, up to 15 s. */
export function backOff(tries: number): number {
  return Math.min(15_000, 500 * 2 ** Math.min(tries - 1, 10));
}

/** A function that runs the action at most once in that time, the last call always after it. */
export function throttled(milliseconds: number, signal: AbortSignal, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = -Infinity;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return () => {
    if (timer !== undefined || signal.aborted) {
      return;
    }
    timer = setTimeout(
      () => {
        timer = undefined;
        last = performance.now();
        action();
      },
      Math.max(0, last + milliseconds - performance.now()),
    );
  };
}
