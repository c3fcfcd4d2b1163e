import { Alert } from '@mantine/core';
import type { UnsupportedFieldProps } from '@rjsf/utils';
import type { ReactNode } from 'react';

/** In the place of a field whose schema has no form, such as a list without a schema of its items. */
export const UnsupportedField = ({ fieldPathId }: UnsupportedFieldProps): ReactNode => (
  <Alert color="yellow" style={{ overflowWrap: 'anywhere' }}>
    A form has no field for <bdi>{fieldPathId.path.join('.')}</bdi>. Enter the value as JSON.
  </Alert>
);
