import type { JsonObject } from '@gateway/call-contract';
import { ASKS_OUTSIDE } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import type { DetectOutcome } from '../tool/ports.ts';
import { withoutSecrets } from '../secrets/redaction.ts';
import { failedResult, objectResult } from '../tool/result.ts';

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 60;

const resultOf = (url: string, outcome: DetectOutcome): JsonObject => {
  switch (outcome.kind) {
    case 'found': {
      const { kind: _kind, ...facts } = outcome;
      return objectResult({ url, reachable: true, ...facts });
    }
    case 'none': {
      const { detail } = outcome;
      return objectResult({
        url,
        reachable: false,
        transport: 'unknown',
        requiresAuth: false,
        detail,
      });
    }
    case 'refused':
      return failedResult(`Failed to detect MCP server: ${outcome.detail}`);
  }
};

const notText = (headers: JsonObject): string | undefined => {
  const bad = Object.entries(headers).find(([, value]) => typeof value !== 'string');
  return bad === undefined ? undefined : `headers.${bad[0].slice(0, 100)} must be a string`;
};

/** A user and a password in a URL would be part of no request. */
const userProblem = (url: string): string | undefined => {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' };
  return username === '' && password === ''
    ? undefined
    : 'url must not contain a user or a password: send them in headers';
};

/** The tool that detects the server at an address. */
export const detectTool: CoreTool = defineCoreTool({
  name: 'core_mcpserver_detect',
  description:
    'Find out whether a URL is an MCP server, over which transport, and whether it requires sign-in. Private addresses may be refused.',
  annotations: ASKS_OUTSIDE,
  arguments: {
    url: {
      type: 'string',
      required: true,
      description: 'http:// or https:// URL',
      maxUnits: 2048,
    },
    headers: {
      type: 'object',
      required: false,
      description: 'Headers to send; never shown',
      schema: { additionalProperties: { type: 'string' } },
    },
    timeout: {
      type: 'integer',
      required: false,
      description: 'Seconds to answer within',
      minimum: 1,
      maximum: MAX_SECONDS,
      default: DEFAULT_SECONDS,
    },
  },
  run: async ({ url, headers = {}, timeout = DEFAULT_SECONDS }, ports, { signal }) => {
    const refusal = notText(headers) ?? userProblem(url);
    if (refusal !== undefined) return failedResult(refusal);
    const question = {
      url,
      headers: headers as Readonly<Record<string, string>>,
      timeoutMs: timeout * 1000,
    };
    const outcome = await ports.detect(question, signal ?? new AbortController().signal);
    return resultOf(String(withoutSecrets(url)), outcome);
  },
});
