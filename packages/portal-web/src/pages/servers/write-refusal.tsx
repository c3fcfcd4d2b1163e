import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Why the reader may not change servers; nothing for a reader who may. */
export const WriteRefusal = ({ reason }: { readonly reason: string | undefined }): ReactNode =>
  reason === undefined ? null : (
    <Alert color="gray" title="You can read servers, and not change them">
      {`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}
    </Alert>
  );
