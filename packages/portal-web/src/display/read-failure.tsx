import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Matches the sentences of the gateway about a name that it does not have. */
const NOT_FOUND = /\bnot found\b/iu;

/** The error of a read. Where nothing was read before because there is no such thing, it also says how to continue. */
export const ReadFailure = ({
  error,
  hasData,
  next,
}: {
  readonly error: Error | null;
  /** An earlier read succeeded, and is shown. */
  readonly hasData: boolean;
  /** A link to all things of this kind, within a sentence. */
  readonly next: ReactNode;
}): ReactNode => {
  if (error === null) return null;
  return (
    <Stack gap="xs">
      <Alert color="red" role="alert" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{error.message}</bdi>
      </Alert>
      {!hasData && NOT_FOUND.test(error.message) && (
        <Text>
          It was deleted, it is not available to you, or the address is not correct. Continue with{' '}
          {next}.
        </Text>
      )}
    </Stack>
  );
};
