import {
  operationsReference,
  type OperationsReferenceOptions,
} from '@gateway/agent-manager-client';
import { createPageRenderer, type Page } from '@gateway/service-host';
import { CONTENT, PARTIALS } from './operations-page-template.ts';

const render = createPageRenderer({ content: CONTENT, partials: PARTIALS });

/** Renders the page that describes all operations. It has no script and requests nothing. */
export const operationsPage = (options: OperationsReferenceOptions): Page =>
  render(`agent-manager ${options.version}`, operationsReference(options));
