import { Alert, Button, Code, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend-context.ts';
import { callCoreTool } from '../../mcp/meta-tools.ts';
import { detectionOf, detectionText, withDetection, type Detection } from './detection.ts';
import { textValues, type ServerDraft } from './server-draft.ts';

const useDetection = (onFound: (found: Detection) => void) => {
  const { gateway } = useBackend();
  return useMutation({
    mutationFn: async ({ url, values }: ServerDraft) => {
      const headers = textValues(values.filter(({ name }) => name !== ''));
      const args = { url: url.trim(), ...(Object.keys(headers).length > 0 && { headers }) };
      return detectionOf(await callCoreTool(gateway, 'core_mcpserver_detect', args));
    },
    onSuccess: onFound,
  });
};

const Outcome = ({
  detection: { data, error },
}: {
  readonly detection: ReturnType<typeof useDetection>;
}): ReactNode => (
  <>
    {data !== undefined && (
      <Alert color={data.isReachable ? 'teal' : 'orange'} role="status">
        <bdi>{detectionText(data)}</bdi>
      </Alert>
    )}
    {error !== null && (
      <Alert color="red" role="alert">
        <bdi>{error.message}</bdi>
      </Alert>
    )}
    {(data?.isReachable === false || error !== null) && (
      <Text size="sm">
        Detect asks private and loopback addresses only with <Code>detect.allowPrivate: true</Code>{' '}
        in the configuration of the gateway. Create does not need it: choose the transport yourself.
      </Text>
    )}
  </>
);

/** The address of a remote server, and a command that finds out what answers there. */
export const DetectServer = ({
  draft,
  onChange,
}: {
  readonly draft: ServerDraft;
  readonly onChange: (draft: ServerDraft) => void;
}): ReactNode => {
  const detection = useDetection((found) => onChange(withDetection(draft, found)));
  return (
    <>
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Address"
          type="url"
          placeholder="https://mcp.example.com/mcp"
          flex={1}
          miw={200}
          value={draft.url}
          onChange={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
        />
        <Button
          variant="default"
          loading={detection.isPending}
          disabled={draft.url.trim() === ''}
          onClick={() => detection.mutate(draft)}
        >
          Detect
        </Button>
      </Group>
      <Outcome detection={detection} />
    </>
  );
};
