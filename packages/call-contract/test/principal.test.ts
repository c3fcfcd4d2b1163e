import { expect, it } from 'vitest';
import { ANONYMOUS, createPrincipal } from '../src/index.ts';

const ada = { issuer: 'https://id.example.com', subject: 'ada' };

it('gives all tokens of one party the same key', () => {
  const first = createPrincipal({ ...ada, scopes: ['mcp:read'] });
  const second = createPrincipal({ ...ada, email: 'ada@example.com', scopes: ['mcp:admin'] });
  expect(first.key).toBe(second.key);
});

it('gives equal subjects of two issuers different keys, also where the texts join to the same text', () => {
  const keys = [
    createPrincipal(ada).key,
    createPrincipal({ issuer: 'https://other.example.com', subject: 'ada' }).key,
    createPrincipal({ issuer: 'https://id.example.com","ada', subject: '' }).key,
    createPrincipal({ issuer: 'anonymous', subject: 'anonymous' }).key,
    ANONYMOUS.key,
  ];
  expect(new Set(keys).size).toBe(5);
});
