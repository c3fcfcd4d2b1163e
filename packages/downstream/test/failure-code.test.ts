import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { toFailureCode, ToolsUnreadableError } from '../src/connection/connection-failure.ts';
import { running, viewOf } from './harness/downstream.ts';
import { defineServer } from './harness/servers.ts';

const withCode = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) });
const httpError = (status: number) => {
  const data = { status, statusText: '', text: '' };
  return new SdkHttpError(SdkErrorCode.ClientHttpForbidden, 'refused', data);
};
const causedBy = (cause: Error) => new Error('failed', { cause });

describe('the code of a failure', () => {
  it.each([
    ['an answer with HTTP 403', httpError(403), 'forbidden'],
    ['an answer with HTTP 500', httpError(500), 'other'],
    ['tools refused with HTTP 403', new ToolsUnreadableError('no', 403), 'forbidden'],
    ['tools refused otherwise', new ToolsUnreadableError('no', undefined), 'other'],
    ['an untrusted certificate', causedBy(withCode('SELF_SIGNED_CERT_IN_CHAIN')), 'certificate'],
    ['no executable', causedBy(withCode('ENOENT', 'spawn x')), 'command-not-found'],
    ['a directory that does not exist', withCode('ENOENT'), 'unreachable'],
    ['a closed port', withCode('ECONNREFUSED'), 'unreachable'],
    ['a text that only mentions a certificate', new Error('certificate expired'), 'other'],
  ])('for %s', (_what, error, code) => {
    expect(toFailureCode(error)).toBe(code);
  });

  it.each([
    ['does not exist', { command: '/no/such/command' }, 'command-not-found'],
    ['is an unknown word', { command: 'sh', args: ['-c', 'no-such-command'] }, 'command-not-found'],
    ['ends by itself', { command: 'sh', args: ['-c', 'exit 3'] }, 'other'],
  ])('reaches the view of a server whose program %s', async (_what, spec, failureCode) => {
    const { downstream } = await running([defineServer('child', { type: 'stdio', ...spec })]);
    expect(viewOf(downstream, 'child')).toMatchObject({ state: 'Failed', failureCode });
  });
});
