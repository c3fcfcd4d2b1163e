import Form from '@rjsf/mantine';
import type { UiSchema } from '@rjsf/utils';
import type { ReactNode } from 'react';
import type { JsonObject } from '../mcp/mcp-outcome.ts';
import { schemaValidator } from './schema-validator.ts';

/** The properties of {@link SchemaForm}. */
export interface SchemaFormProps {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  readonly submitLabel: string;
  readonly isDisabled?: boolean;
  readonly onChange?: (value: JsonObject) => void;
  readonly onSubmit: (value: JsonObject) => void;
}

const uiSchemaOf = (submitText: string): UiSchema => ({
  'ui:submitButtonOptions': { submitText },
});

/** A form for a JSON object that a schema describes. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const { schema, value, submitLabel, isDisabled = false, onChange, onSubmit } = props;
  return (
    <Form
      schema={schema}
      uiSchema={uiSchemaOf(submitLabel)}
      formData={value}
      validator={schemaValidator}
      disabled={isDisabled}
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }) => onChange?.((formData ?? {}) as JsonObject)}
      // The fields show their problems; the library would also write them to the console.
      onError={() => undefined}
      onSubmit={({ formData }) => onSubmit((formData ?? {}) as JsonObject)}
    />
  );
};
