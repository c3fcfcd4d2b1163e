import { describe, expect, it } from 'vitest';
import { startPortal } from './harness/started-portal.ts';

const SIGN_IN = { issuer: 'https://login.example.com', clientId: 'portal' };

describe('a portal with sign-in', () => {
  it.each(['http://portal.example.com/', 'http://192.0.2.1/', 'http://127.example.com/'])(
    'is not served at %s',
    async (publicUrl) => {
      await expect(startPortal({ publicUrl, ...SIGN_IN })).rejects.toThrow(
        `--public-url must begin with https:// where users sign in (--issuer): "${publicUrl}"; http is for loopback addresses`,
      );
    },
  );

  it.each([
    ...['https://portal.example.com/', 'http://127.0.0.1:7070/', 'http://127.9.9.9/'],
    ...['http://localhost/tools', 'http://[::1]:7070/'],
  ])('is served at %s', async (publicUrl) => {
    const portal = await startPortal({ publicUrl, ...SIGN_IN });
    expect((await fetch(`${portal.address}/healthz`)).status).toBe(200);
  });

  it('is not served at an address of other machines unless it has a public URL', async () => {
    await expect(
      startPortal({ host: '0.0.0.0', publicUrl: 'http://0.0.0.0/', ...SIGN_IN }),
    ).rejects.toThrow('--public-url must begin with https://');
  });
});

it('without sign-in is served with http', async () => {
  await startPortal({ publicUrl: 'http://portal.example.com/' });
});
