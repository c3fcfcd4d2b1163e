import type { ConfigDocument } from '@gateway/resource-store';
import { expect, it } from 'vitest';
import { createLiveConfiguration } from '../src/live-configuration.ts';
import { readConfiguration } from '../src/read-configuration.ts';

const document = (value: unknown): ConfigDocument => ({
  source: 'config.yaml',
  value,
  locate: () => ({ line: 1, column: 1 }),
});

it('logs once which keys take effect at the next start, and again when the keys change', () => {
  const accepted = readConfiguration(document({}));
  if (!accepted.ok) throw new Error('the configuration is invalid');
  const lines: unknown[] = [];
  const ignore = () => undefined;
  const warn = (facts: object, msg: string) => void lines.push({ ...facts, msg });
  const logger = { info: ignore, warn, error: ignore };
  const live = createLiveConfiguration(accepted, logger);
  for (const http of [{ maxSessions: 7 }, { maxSessions: 7 }, { maxSessions: 7, port: 1 }, {}])
    live.update(document({ http }));
  live.update(document({ http: { maxSessions: 7 } }));
  const msg = 'changed keys of the configuration take effect at the next start';
  expect(lines).toEqual([
    { msg, keys: ['http.maxSessions'] },
    { msg, keys: ['http.port', 'http.maxSessions'] },
    { msg, keys: ['http.maxSessions'] },
  ]);
});
