import { describe, expect, it } from 'vitest';
import { validateMetadata, validateModelConfig, validateSkills } from '../../src/index.ts';

const SUBDOMAIN =
  "must be a DNS-1123 subdomain: at most 253 lowercase letters, digits, '-' and '.', starting and ending alphanumeric";
const LABEL = "at most 63 letters, digits, '-', '_' and '.', starting and ending alphanumeric";

describe('the name of a model configuration', () => {
  it.each(['Default', 'a_b', '-a', 'a.', 'a..b', 'a b', 'team/model', 'x'.repeat(254)])(
    'is refused where a cluster would refuse it: %s',
    (name) => {
      expect(validateModelConfig(name)).toContain(SUBDOMAIN);
    },
  );

  it.each(['default', 'gpt-4.1', 'x'.repeat(253)])('is accepted: %s', (name) => {
    expect(validateModelConfig(name)).toBeUndefined();
  });
});

describe('the name of a Secret', () => {
  it('is refused where a cluster would refuse it', () => {
    expect(validateSkills({ gitAuthSecretName: 'My_Secret' })).toBe(
      `skills.gitAuthSecretName "My_Secret" ${SUBDOMAIN}`,
    );
    expect(validateSkills({ gitAuthSecretName: 'my-secret' })).toBeUndefined();
  });
});

describe('labels', () => {
  it.each(['', '-a', 'a b', 'x'.repeat(64), 'A/b', '/b', 'a.b/', 'a/b/c', '__proto__'])(
    'have keys that a cluster accepts, unlike %j',
    (key) => {
      const labels = JSON.parse(`{${JSON.stringify(key)}: "v"}`) as Record<string, string>;
      expect(validateMetadata({ labels })).toBe(
        `labels key ${JSON.stringify(key)} must be a name of ${LABEL}, with or without a DNS-1123 subdomain and '/' before it`,
      );
      expect(validateMetadata({ annotations: labels })).toContain(`annotations key`);
    },
  );

  it.each(['-a', 'a b', 'x'.repeat(64), 'a/b', 'a\n'])(
    'have values that a cluster accepts, unlike %j',
    (value) => {
      expect(validateMetadata({ labels: { team: value } })).toBe(
        `labels "team" value ${JSON.stringify(value)} must be empty, or ${LABEL}`,
      );
      expect(validateMetadata({ annotations: { team: value } })).toBeUndefined();
    },
  );

  it('are accepted as Kubernetes accepts them', () => {
    const labels = { team: '', 'app.kubernetes.io/part-of': 'Agents_1.0', A: 'x'.repeat(63) };
    expect(validateMetadata({ labels, annotations: { 'example.com/note': 'any text' } })).toBe(
      undefined,
    );
  });
});

it('annotations have at most 256 KiB', () => {
  expect(validateMetadata({ annotations: { a: 'x'.repeat(262_144) } })).toBe(
    'annotations have more than 262144 bytes',
  );
});
