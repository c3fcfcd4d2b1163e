import { retryAssertion } from '@gateway/repo-checks';
import { expect, it } from 'vitest';
import { useNotes } from '../../sign-in/notes-scene.ts';

const scene = useNotes();

const countChanges = (methods: readonly string[]): number =>
  methods.filter((method) => method === 'notifications/tools/list_changed').length;

it.each([
  ['2026-07-28', 'meta'],
  ['2026-07-28', 'native'],
  ['2025-11-25', 'meta'],
  ['2025-11-25', 'native'],
] as const)(
  'a stream of %s gets list_changed for the user who signed in or out, and for nobody else (%s)',
  async (revision, expose) => {
    const { listen, openSession, walk, logout } = await scene.start({ expose });
    const open = async (user: string) =>
      revision === '2026-07-28' ? listen(user) : (await openSession(user)).methods;
    const [ada, ben] = [await open('ada'), await open('ben')];
    const expectChanges = (...counts: number[]): Promise<void> =>
      retryAssertion(() => {
        expect([countChanges(ada), countChanges(ben)]).toEqual(counts);
      });
    await walk('ada', 'notes');
    await expectChanges(1, 0);
    // A sign-in of the other user shows that their stream works and received nothing before.
    await walk('ben', 'notes');
    await expectChanges(1, 1);
    await logout('ada', 'notes');
    await expectChanges(2, 1);
  },
);

it('does not announce changed tools where no server signs users in', async () => {
  const { request } = await scene.start({ servers: {} });
  const { capabilities } = await request('ada', 'server/discover');
  expect(capabilities).toEqual({ tools: {} });
});
