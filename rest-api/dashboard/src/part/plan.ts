import { drawing, element, type Child } from '../dom/element.ts';
import type { Plan, PlanCell } from '../api/types.ts';
import { bytes, count } from '../format.ts';
import { leavesOf, planTree, type PlanNode } from './plan-tree.ts';

/** The precision plan: all cells as a strip, then as a tree with the reasons. */
export function planView(plan: Plan): HTMLElement {
  const root = planTree(plan.cells);
  const tree = element('ul', { class: 'plan-tree', 'aria-label': 'Cells' }, root.map((node) => nodeOf(node, 0)));
  const openAll = (open: boolean) => tree.querySelectorAll('details').forEach((each) => (each.open = open));
  return element(
    'section',
    { class: 'card plan' },
    element('div', { class: 'spread' }, element('h2', {}, 'Precision plan'), legend(plan.cells)),
    element('p', {}, told(plan)),
    planStrip(plan),
    element(
      'div',
      { class: 'spread' },
      element('p', { class: 'hint' }, 'Each cell: what it computes in, what its parameters and its output are, and why.'),
      element('span', { class: 'actions' }, element('button', { type: 'button', class: 'quiet', click: () => openAll(true) }, 'Open all'), element('button', { type: 'button', class: 'quiet', click: () => openAll(false) }, 'Close all')),
    ),
    tree,
    plan.notes.length > 0 && element('ul', { class: 'hint' }, plan.notes.map((note) => element('li', {}, note))),
  );
}

/** Every cell that holds no others, in order, coloured by what it computes in. */
export function planStrip(plan: Plan): SVGElement {
  return stripOf(planTree(plan.cells).flatMap(leavesOf), 'plan-strip');
}

function stripOf(leaves: PlanCell[], look: string): SVGElement {
  const half = leaves.filter((leaf) => leaf.compute !== 'fp32').length;
  return drawing(
    'svg',
    { class: look, viewBox: `0 0 ${leaves.length * 10} 10`, preserveAspectRatio: 'none', height: 28, role: 'img', 'aria-label': `${half} of ${leaves.length} cells compute in half` },
    leaves.map((leaf, index) => drawing('rect', { class: `dtype-fill ${dtypeClass(leaf.compute)}`, x: index * 10 + 0.5, width: 9, height: 10 })),
  );
}

function told(plan: Plan): string {
  const { cells, cells_in_half: half, casts_to_half: down, casts_to_fp32: up, bytes_saved: saved } = plan.totals;
  return [
    `Level ${plan.level}: ${count(half)} of ${count(cells)} cells in ${plan.half}`,
    `${count(down)} casts to half and ${count(up)} back`,
    saved ? `${bytes(saved)} of activations saved` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

function legend(cells: PlanCell[]): HTMLElement {
  return element('span', { class: 'legend' }, [...new Set(cells.map((cell) => cell.compute))].sort().map(dtypeBadge));
}

function nodeOf(node: PlanNode, depth: number): HTMLElement {
  const line = lineOf(node);
  if (node.children.length === 0) {
    return element('li', {}, element('div', { class: 'plan-line' }, line));
  }
  return element(
    'li',
    {},
    element('details', { open: depth < 1 }, element('summary', { class: 'plan-line' }, line), element('ul', {}, node.children.map((child) => nodeOf(child, depth + 1)))),
  );
}

function lineOf(node: PlanNode): Child[] {
  const { cell, children } = node;
  const leaves = leavesOf(node);
  const half = leaves.filter((leaf) => leaf.compute !== 'fp32').length;
  return [
    element('span', { class: 'plan-name' }, element('b', {}, node.name), element('span', { class: 'hint' }, cell.class)),
    element('span', { class: 'plan-types' }, children.length > 0 ? [stripOf(leaves, 'plan-strip plan-mini'), element('span', { class: 'hint' }, `${half} of ${leaves.length} in half`)] : typesOf(cell)),
    element('span', { class: 'plan-reason hint' }, children.length > 0 ? '' : cell.reason),
  ];
}

function typesOf(cell: PlanCell): Child[] {
  return [dtypeBadge(cell.compute), element('span', { class: 'hint' }, cell.parameters === null ? '' : `parameters ${cell.parameters}`, ` → ${cell.output}`)];
}

function dtypeBadge(dtype: string): HTMLElement {
  return element('span', { class: `dtype ${dtypeClass(dtype)}` }, dtype);
}

function dtypeClass(dtype: string): string {
  return ['fp32', 'fp16', 'bf16'].includes(dtype) ? dtype : 'other-dtype';
}
