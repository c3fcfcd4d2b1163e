import { type JsonObject, readOwnField, toList, toObject, toText } from '@gateway/call-contract';
import {
  listClearSecrets,
  replaceArgumentSecrets,
  replaceUrlSecrets,
  SECRET_MASK,
} from '@gateway/client-config';
import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Question } from '../../display/confirmation.tsx';
import { StateBadge } from '../../display/page-parts.tsx';
import { isSignedOut, type ServerSummary } from './server-facts.ts';

const HEALTH: ReadonlyMap<string | undefined, string> = new Map([
  ['degraded', 'Degraded'],
  ['unhealthy', 'Unhealthy'],
]);

const COLORS: ReadonlyMap<string, string> = new Map([
  ['Running', 'teal'],
  ['Connected', 'teal'],
  ['Starting', 'blue'],
  ['Connecting', 'blue'],
  ['Auth Required', 'orange'],
  ['Failed', 'red'],
]);

/** Returns the state of a server for the reader, who may have signed in to it. @spec §2.6 */
export const toShownState = ({ state, signIn }: ServerSummary): string =>
  signIn?.status === 'connected' ? 'Connected' : state;

/** The state of a server as the reader sees it. @spec §2.6 */
export const ServerState = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const problem = HEALTH.get(server.health);
  const shown = toShownState(server);
  return (
    <>
      <StateBadge color={COLORS.get(shown) ?? 'gray'}>{shown}</StateBadge>
      {problem !== undefined && shown !== 'Failed' && (
        <StateBadge color="orange">{problem}</StateBadge>
      )}
    </>
  );
};

/** Returns the last error of a server in plain words, with the gateway's own reason; `undefined` for a server that works. */
export const findServerProblem = (server: ServerSummary): string | undefined => {
  const { state, statusMessage, signIn, error } = server;
  const isSignInBroken = signIn?.error !== undefined && !isSignedOut(server);
  if (!isSignInBroken && state !== 'Failed') return undefined;
  const problem = isSignInBroken
    ? 'Your sign-in to this server does not work'
    : (statusMessage ?? 'Server failed to start');
  return [problem, signIn?.error ?? error].filter(Boolean).join(': ');
};

/** The last error of a server; nothing for a server without one. */
export const ServerProblem = ({ server }: { readonly server: ServerSummary }): ReactNode => {
  const problem = findServerProblem(server);
  return problem === undefined ? null : (
    <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
      <bdi>{problem}</bdi>
    </Text>
  );
};

/** Why the reader may not change servers; nothing for a reader who may. */
export const WriteRefusal = ({ reason }: { readonly reason: string | undefined }): ReactNode =>
  reason === undefined ? null : (
    <Alert color="gray" title="You can read servers, and not change them">
      {`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}
    </Alert>
  );

const mask = (): string => SECRET_MASK;

/** Returns the command with its arguments, or the address, of a definition, without secrets. */
export const formatServerAddress = ({ command, args, url }: JsonObject): string =>
  [
    toText(command),
    ...replaceArgumentSecrets(toList(args).map(toText), mask),
    replaceUrlSecrets(toText(url), mask),
  ]
    .filter(Boolean)
    .join(' ');

/** Returns a line for each variable and header of a definition, without its value. */
export const listValueLines = (definition: JsonObject): readonly string[] => {
  const secrets = new Set(listClearSecrets(definition).map(({ field }) => field));
  return ['env', 'headers'].flatMap((field) => [
    ...Object.keys(toObject(definition[field])).map((name) =>
      secrets.has(`spec.${field}.${name}`)
        ? `${name}: ${SECRET_MASK}, stored as a secret`
        : `${name}: ${SECRET_MASK}`,
    ),
    ...toList(definition[`${field}From`]).map(
      (entry) => `${toText(readOwnField(entry, 'name'))}: a reference`,
    ),
  ]);
};

const MAX_ADDRESS_CHARS = 500;

/** Returns the beginning of the command or of the address of a definition. */
export const formatShortAddress = (definition: JsonObject): string =>
  formatServerAddress(definition).slice(0, MAX_ADDRESS_CHARS);

/**
 * Returns the question before definitions reach the gateway that make it run programs; `undefined` when none does.
 *
 * @param definitions arguments of `core_mcpserver_create`
 */
export const createProgramQuestion = (definitions: readonly JsonObject[]): Question | undefined => {
  const programs = definitions.filter(({ type }) => type === 'stdio').map(formatShortAddress);
  if (programs.length === 0) return undefined;
  const isOne = programs.length === 1;
  return {
    title: isOne ? 'Run this program?' : `Run these ${programs.length} programs?`,
    consequence: `The gateway runs ${isOne ? 'this program' : 'these programs'} on its own machine, with its own permissions and not with yours. Continue only if you trust ${isOne ? 'the program' : 'the programs'}.`,
    details: programs,
    confirm: isOne ? 'Create and run' : 'Create and run all',
  };
};
