import pino from 'pino';
import { expect, it } from 'vitest';
import { toDownstreamOptions } from '../src/local/create-services.ts';
import { parseConfig } from '@gateway/gateway-config';

it.each([
  [330, 300_000],
  [600, 570_000],
  [10, 300_000],
])('a request of %i s leaves its server %i ms', (requestTimeoutSeconds, requestMs) => {
  const parsed = parseConfig({ http: { requestTimeoutSeconds } });
  if (!parsed.ok) throw new Error('refused');
  expect(toDownstreamOptions(parsed.config, pino({ enabled: false })).timeouts).toMatchObject({
    requestMs,
  });
});
