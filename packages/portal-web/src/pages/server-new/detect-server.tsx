import { type JsonObject, toObject, toText } from '@gateway/call-contract';
import { toResourceName } from '@gateway/client-config';
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend.ts';
import { Failure } from '../../display/loading.tsx';
import { callCoreTool } from '../../mcp/meta-tools.ts';

/** The server at an address, as `core_mcpserver_detect` found it. */
interface Detection {
  readonly isReachable: boolean;
  readonly transport: string;
  readonly requiresAuth: boolean;
  readonly serverName: string;
  readonly serverVersion: string;
  /** The sentence of the gateway. */
  readonly detail: string;
}

/** Reads an answer of `core_mcpserver_detect`. */
export const parseDetection = (answer: JsonObject): Detection => ({
  isReachable: answer['reachable'] === true,
  transport: toText(answer['transport']),
  requiresAuth: answer['requiresAuth'] === true,
  serverName: toText(answer['serverName']),
  serverVersion: toText(answer['serverVersion']),
  detail: toText(answer['detail']),
});

/** Returns a definition with what was detected. What the user entered stays. */
export const applyDetection = (
  definition: JsonObject,
  { transport, requiresAuth, serverName }: Detection,
): JsonObject => ({
  ...definition,
  ...(['sse', 'streamable-http'].includes(transport) && { type: transport }),
  ...(requiresAuth && { auth: { type: 'oauth', ...toObject(definition['auth']) } }),
  ...(toText(definition['name']) === '' && { name: toResourceName(serverName) }),
});

/** Returns a sentence about what was detected. */
export const formatDetection = (found: Detection): string => {
  if (!found.isReachable) return `No MCP server answers at this address: ${found.detail}`;
  const server = [found.serverName || 'An MCP server', found.serverVersion];
  const access = found.requiresAuth ? ' It requires a sign-in.' : '';
  return `${server.filter(Boolean).join(' ')} answers over ${found.transport}.${access}`;
};

/** Finds out what answers at the address of a definition, and fills it. */
export const DetectServer = ({
  definition,
  onChange,
}: {
  readonly definition: JsonObject;
  readonly onChange: (definition: JsonObject) => void;
}): ReactNode => {
  const { gateway } = useBackend();
  const { url, headers } = definition;
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const args = { url: toText(url).trim(), ...(headers !== undefined && { headers }) };
      return parseDetection(await callCoreTool(gateway, 'core_mcpserver_detect', args));
    },
    onSuccess: (found) => onChange(applyDetection(definition, found)),
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        disabled={toText(url).trim() === ''}
        onClick={() => mutate()}
      >
        Detect
      </Button>
      {data !== undefined && (
        <Alert color={data.isReachable ? 'teal' : 'orange'} role="status">
          <bdi>{formatDetection(data)}</bdi>
        </Alert>
      )}
      <Failure error={error} />
      {(data?.isReachable === false || error !== null) && (
        <Text size="sm">
          Detect asks private and loopback addresses only with{' '}
          <Code>detect.allowPrivate: true</Code> in the configuration of the gateway. Create does
          not need it: choose the type yourself.
        </Text>
      )}
    </Stack>
  );
};
