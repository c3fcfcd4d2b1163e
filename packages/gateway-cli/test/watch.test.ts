import { describe, expect, it } from 'vitest';
import { createBufferedIo } from '@gateway/gateway-cli';
import { runWatched } from '../src/client/request-gateway.ts';
import { CommandFailure } from '../src/failure.ts';

/** Runs a command with `--watch` whose views are these; a failure is a view too. Ends after the last one. */
const watch = async (
  views: readonly (string | CommandFailure)[],
  terminal?: number,
): Promise<string> => {
  const interrupted = new AbortController();
  const io = createBufferedIo({
    interrupted: interrupted.signal,
    ...(terminal !== undefined && { terminal }),
  });
  const rest = [...views];
  await runWatched({ watch: true }, io, (output) => {
    const view = rest.shift();
    if (rest.length === 0) setImmediate(() => interrupted.abort());
    if (typeof view !== 'string') return Promise.reject(view ?? new Error('no more views'));
    output.stdout.write(view);
    return Promise.resolve('succeeded');
  });
  return io.written.stdout;
};

describe('--watch', () => {
  it('writes a view only when it differs from the previous one', async () => {
    expect(await watch(['a\n', 'a\n', 'b\n'])).toBe('a\n\nb\n');
  });

  it('replaces the view of a terminal', async () => {
    expect(await watch(['a\n', 'b\n'], 80)).toBe('\u001B[H\u001B[2Ja\n\u001B[H\u001B[2Jb\n');
  });

  it('shows that the gateway does not answer any more, but not at first', async () => {
    const away = new CommandFailure('failed', 'no gateway answers');
    expect(await watch(['a\n', away])).toBe('a\n\nno gateway answers\n');
    await expect(watch([away])).rejects.toBe(away);
  });

  it('is off without the option', async () => {
    const io = createBufferedIo();
    const run = () => Promise.resolve('failed' as const);
    expect(await runWatched({}, io, run)).toBe('failed');
  });
});
