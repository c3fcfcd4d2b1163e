// Measures the lookup of a credential in memory. Run after a build: node bench/credential.mjs
import { createMemoryStore } from '@gateway/state-store';
import { createDownstreamAuth } from '../dist/index.js';

const LOOKUPS = 2_000_000;
const USERS = 1_000;

const store = createMemoryStore();
const auth = createDownstreamAuth({
  store,
  publicUrl: new URL('https://gateway.example'),
  servers: () => [],
  secrets: { read: () => Promise.resolve({ ok: false, reason: 'no secrets' }) },
  allowPrivate: false,
  log: { info: () => undefined, warn: () => undefined },
});

const url = 'https://tools.example/mcp';
const server = {
  metadata: { name: 'tools', namespace: 'default', labels: {} },
  spec: {
    type: 'streamable-http',
    url,
    auth: { type: 'oauth', forwardToken: false, requiredAudiences: [] },
  },
};
const issuer = 'https://provider.example';
const client = { clientId: 'gateway', kind: 'registered', method: 'none' };
const users = Array.from({ length: USERS }, (_, at) => ({
  key: JSON.stringify(['https://home.example', `user-${at}`]),
  subject: `user-${at}`,
}));

for (const { key, subject } of users) {
  const now = Date.now();
  const token = {
    id: subject,
    resource: url,
    accessToken: `token-${subject}`,
    obtainedAt: now,
    expiresAt: now + 3_600_000,
  };
  const binding = { serverUrl: url, issuer, resource: url, scope: '' };
  const lifetime = { ttlMs: 3_600_000 };
  await store.set(['sign-in', key, 'tools'], JSON.stringify(binding), lifetime);
  await store.set(
    ['tokens', key, issuer],
    JSON.stringify([{ client, scope: '', tokens: [token] }]),
    lifetime,
  );
  const outcome = await auth.credentials.current(server, { key, subject });
  if (!outcome.ok) throw new Error(outcome.reason);
}

const run = () => {
  const start = performance.now();
  for (let at = 0; at < LOOKUPS; at += 1) {
    const outcome = auth.credentials.current(server, users[at % USERS]);
    if (outcome instanceof Promise) throw new Error('the lookup is not synchronous');
  }
  return ((performance.now() - start) * 1_000) / LOOKUPS;
};
run();
const best = Math.min(run(), run(), run());
console.log(`lookup of a credential in memory: ${best.toFixed(3)} µs`);
auth.close();
