import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { findListenError, formatStartFailure } from '../src/index.ts';

const host = '127.0.0.1';

it('is none for a port that is free, and names the taken address and the option that changes it', async () => {
  expect(await findListenError({ host, port: 0 })).toBeUndefined();
  const taken = createServer().listen(0, host);
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const error = await findListenError({ host, port });
  taken.close();
  expect(error).toMatchObject({ code: 'EADDRINUSE', port });
  expect(formatStartFailure(error, { host, port, portOption: '--port' })).toBe(
    `port ${String(port)} of 127.0.0.1 is in use by another process: end that process, or choose another port with --port`,
  );
});

it('names an address that this machine does not have', async () => {
  // A documentation address: RFC 5737 §3
  const address = { host: '192.0.2.1', port: 8090, portOption: '--port' };
  expect(formatStartFailure(await findListenError(address), address)).toBe(
    'this machine does not have the address 192.0.2.1: choose another one with --host',
  );
});

it('names a reserved port, but not for an error of another system call', () => {
  const address = { host: '0.0.0.0', port: 80, portOption: '--port' };
  const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
  expect(formatStartFailure(error, address)).toBe(
    'port 80 of 0.0.0.0 is reserved by the operating system: choose another port with --port, 1024 or higher',
  );
  expect(
    formatStartFailure(
      Object.assign(new Error('open /x: EACCES'), { code: 'EACCES', syscall: 'open' }),
      address,
    ),
  ).toBe('open /x: EACCES');
  expect(formatStartFailure('gone', address)).toBe('gone');
});
