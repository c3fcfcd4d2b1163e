import { expect, it } from 'vitest';
import { conformOAuthAnswer } from '../src/index.ts';

it('returns an answer of a token endpoint with a status that permits no body', async () => {
  const answer = await conformOAuthAnswer(new Response(null, { status: 304 }), 'token');
  expect([answer.status, await answer.text()]).toEqual([304, '']);
});

it('returns the text of a refusal that is no OAuth error', async () => {
  const answer = await conformOAuthAnswer(new Response('gone', { status: 410 }), 'token');
  expect([answer.status, await answer.text()]).toEqual([410, 'gone']);
});
