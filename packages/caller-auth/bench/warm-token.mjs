import { BearerAuthenticator } from '../src/bearer-authenticator.ts';

/** Measures how long the check of a request takes when its token was verified before, in microseconds. */

const token = `${'a'.repeat(100)}.${'b'.repeat(600)}.${'c'.repeat(342)}`;
const principal = { key: 'k', subject: 's', issuer: 'i', scopes: ['mcp:read'] };
const { authenticate } = new BearerAuthenticator({
  verifier: { verify: () => Promise.resolve({ ok: true, principal, expiresAt: Date.now() + 1e9 }) },
  challenge: () => 'Bearer',
  now: Date.now,
});
const rawHeaders = ['Host', 'gateway', 'Accept', '*/*', 'Authorization', `Bearer ${token}`];
const request = { rawHeaders, url: '/mcp' };
await authenticate(request);
const COUNT = 200_000;
for (let count = 0; count < COUNT; count += 1) authenticate(request);
const start = process.cpuUsage();
for (let count = 0; count < COUNT; count += 1) authenticate(request);
const { user, system } = process.cpuUsage(start);
console.log(`${((user + system) / COUNT).toFixed(2)} µs per request`);
