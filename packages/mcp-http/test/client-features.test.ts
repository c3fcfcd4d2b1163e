import { describe, expect, it } from 'vitest';
import { validateQuestion } from '../src/protocol/client-features.ts';

const ELICITATION = 'elicitation/create';
const SAMPLING = 'sampling/createMessage';

describe('a client that declares', () => {
  it.each([
    [{ elicitation: {} }, ELICITATION, {}, undefined],
    [{ elicitation: {} }, ELICITATION, { mode: 'form' }, undefined],
    [{ elicitation: {} }, ELICITATION, { mode: 'url' }, 'elicitation.url'],
    [{ elicitation: { url: {} } }, ELICITATION, { mode: 'url' }, undefined],
    [{ elicitation: { url: {} } }, ELICITATION, {}, 'elicitation.form'],
    [{ elicitation: { form: {}, url: {} } }, ELICITATION, {}, undefined],
    [{ sampling: {} }, SAMPLING, {}, undefined],
    [{ sampling: {} }, SAMPLING, { tools: [] }, 'sampling.tools'],
    [{ sampling: { tools: {} } }, SAMPLING, { tools: [], toolChoice: {} }, undefined],
    [{ roots: {} }, 'roots/list', {}, undefined],
    [{}, 'roots/list', {}, 'roots'],
  ])('%j is asked %s with %j, or lacks %s', (capabilities, method, params, missing) => {
    expect(validateQuestion(capabilities, { method, params })).toBe(
      missing === undefined ? undefined : `The client has not declared the capability "${missing}"`,
    );
  });

  it.each(['ping', '__proto__', 'x'.repeat(10_000)])('a client is never asked %s', (method) => {
    expect(validateQuestion({ sampling: {} }, { method, params: {} })).toBe(
      `A client cannot be asked: ${JSON.stringify(method.slice(0, 200))}`,
    );
  });
});
