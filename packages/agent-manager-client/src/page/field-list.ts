import { markup, NOTHING, withCode, type Html } from './markup.ts';
import { schemaType, type SchemaField } from './schema-type.ts';

/** A field to be shown; `note`: where it stands, for instance. */
export interface ListedField extends SchemaField {
  readonly note?: string;
}

const entry = ({ path, schema, isRequired, note }: ListedField, mark: string): Html =>
  markup`<div>
    <dt>
      <code>${path}</code> <span class="type">${schemaType(schema)}</span>${
        note === undefined ? NOTHING : markup` <span class="note">${note}</span>`
      }${isRequired ? markup` <span class="required">${mark}</span>` : NOTHING}
    </dt>
    <dd>${withCode(typeof schema['description'] === 'string' ? schema['description'] : '')}</dd>
  </div>`;

/**
 * Fields with what they are; a sentence where there are none.
 * @param mark the word for those that are never left out
 */
export const fieldList = (fields: readonly ListedField[], mark: string): Html =>
  fields.length === 0
    ? markup`<p>None.</p>`
    : markup`<dl class="fields">${fields.map((field) => entry(field, mark))}</dl>`;
