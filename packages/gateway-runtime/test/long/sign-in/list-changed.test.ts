import { retryAssertion } from '@gateway/repo-checks';
import { signIn, createTestUser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useNotes } from '../../sign-in/notes-scene.ts';
import { listen, openSession, type OpenStream } from '../../sign-in/open-stream.ts';

const TOOLS_CHANGED = 'notifications/tools/list_changed';

const scene = useNotes();

const opened = async <Stream extends OpenStream>(opening: Promise<Stream>): Promise<Stream> => {
  const stream = await opening;
  onTestFinished(() => {
    stream.close();
  });
  return stream;
};

const changesOf = ({ methods }: OpenStream): number =>
  methods.filter((method) => method === TOOLS_CHANGED).length;

const STREAMS = { 'revision 2026-07-28': listen, 'revision 2025-11-25': openSession };

describe.each(Object.entries(STREAMS))('after the callback, a stream of %s', (_name, open) => {
  it.each(['meta', 'native'] as const)(
    'gets list_changed for the user who signed in, and for nobody else (%s)',
    async (expose) => {
      const gateway = await scene.start({ expose });
      const ada = await opened(open(gateway, 'ada'));
      const ben = await opened(open(gateway, 'ben'));
      const link = await gateway.linkOf('ada', 'notes');
      expect((await signIn(link, createTestUser('ada'))).status).toBe(200);
      await retryAssertion(() => {
        expect(changesOf(ada)).toBe(1);
      });
      // A sign-in of the other user shows that their stream works and received nothing before.
      expect(changesOf(ben)).toBe(0);
      await signIn(await gateway.linkOf('ben', 'notes'), createTestUser('ben'));
      await retryAssertion(() => {
        expect(changesOf(ben)).toBe(1);
      });
      expect(changesOf(ada)).toBe(1);
      await gateway.logout('ada', 'notes');
      await retryAssertion(() => {
        expect(changesOf(ada)).toBe(2);
      });
      expect(changesOf(ben)).toBe(1);
    },
  );
});

it('does not announce changed tools where no server signs users in', async () => {
  const gateway = await scene.start({ servers: {} });
  const { capabilities } = await gateway.request('ada', 'server/discover');
  expect(capabilities).toEqual({ tools: {} });
});
