import { expect, it } from 'vitest';
import { curlExample } from '../../src/reference/operations-reference.ts';

it('quotes an address as one shell argument', () => {
  expect(curlExample('get_info', "https://a.example/it's")).toBe(
    String.raw`curl -sS 'https://a.example/it'\''s/api/v1/info'`,
  );
});
