import type { Peers } from '../src/index.ts';

/** Joins processes that live in one: what one sends, the others hear, as JSON and later. */
export interface MemoryBus {
  readonly join: (id: string) => Peers;
  /** Processes that no longer send or receive. */
  readonly dead: Set<string>;
  /** All that was sent, as text. */
  readonly sent: string[];
}

export const memoryBus = (): MemoryBus => {
  const handlers = new Map<string, Set<(message: unknown) => void>>();
  const dead = new Set<string>();
  const sent: string[] = [];
  const join = (id: string): Peers => {
    const own = new Set<(message: unknown) => void>();
    handlers.set(id, own);
    return {
      id,
      send: (message) => {
        if (dead.has(id)) return;
        const text = JSON.stringify(message);
        sent.push(text);
        setImmediate(() => {
          for (const [other, all] of handlers) {
            if (other === id || dead.has(other)) continue;
            for (const handle of all) handle(JSON.parse(text));
          }
        });
      },
      onMessage: (handler) => {
        own.add(handler);
        return () => own.delete(handler);
      },
    };
  };
  return { join, dead, sent };
};
