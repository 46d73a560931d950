'use strict';
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const page = document.documentElement;
  page.classList.add('js');

  // The state is in the fragment: what is filtered by, the text `q`, and `TABLE=COLUMN` with a
  // minus for descending order.
  const state = () => new URLSearchParams(location.hash.slice(1));
  const change = (edit, replace) => {
    const params = state();
    edit(params);
    const hash = '#' + params.toString().replaceAll('%2F', '/').replaceAll('%3A', ':');
    if (replace) history.replaceState(null, '', hash);
    else history.pushState(null, '', hash);
    apply();
  };

  const groups = all('.group').map((element) => ({
    element,
    rows: Number(element.dataset.rows ?? 0),
    runs: [element, ...all('[data-run]', element)].map((part) => part.dataset.run),
    text: null,
  }));
  const keys = ['class', 'kind', 'stage', 'rule', 'label', 'run', 'word'];
  const has = (group, key, value) =>
    key === 'run' ? group.runs.includes(value) : (group.element.dataset[key] ?? 'none') === value;
  const holds = (group, text) => {
    if (!text) return true;
    group.text ??= group.element.textContent.toLowerCase();
    return group.text.includes(text);
  };

  const controls = all('[data-filter]').map((element) => ({
    element,
    // `KEY=VALUE` on each line.
    pairs: element.dataset.filter.split('\n').filter(Boolean).map((pair) => {
      const [key] = pair.split('=', 1);
      return [key, pair.slice(key.length + 1)];
    }),
  }));
  const search = document.querySelector('input[type=search]');
  const shown = document.querySelector('.shown');

  function filter(params) {
    const wanted = keys.filter((key) => params.has(key)).map((key) => [key, params.get(key)]);
    const text = (params.get('q') ?? '').toLowerCase();
    let count = 0;
    let rows = 0;
    for (const group of groups) {
      const show = wanted.every(([key, value]) => has(group, key, value)) && holds(group, text);
      group.element.hidden = !show;
      count += show;
      rows += show ? group.rows : 0;
    }
    for (const { element, pairs } of controls) {
      const on = pairs.length
        ? pairs.every(([key, value]) => params.get(key) === value)
        : !wanted.length && !text;
      element.setAttribute(element.localName === 'button' ? 'aria-pressed' : 'aria-current', on);
    }
    if (search && search.value !== (params.get('q') ?? '')) search.value = params.get('q') ?? '';
    if (shown) {
      const by = wanted.map(([key, value]) => `${key} ${value}`).join(', ');
      // Of a comparison each row is one of its own.
      const what = groups[0]?.rows ? `groups, ${rows} rows` : 'rows';
      shown.textContent = `${count} of ${groups.length} ${what}` + (by && ` · ${by}`);
    }
  }

  const tables = all('table[id]').map((table) => ({
    table,
    heads: all('th[data-sort]', table),
    parts: [...(table.tBodies[0]?.matches('.group') ? table.tBodies : (table.tBodies[0]?.rows ?? []))],
    now: '',
  }));
  const value = (part, index, kind) => {
    const text = (part.rows?.[0] ?? part).cells[index].textContent.trim();
    return kind === 'number' ? (Number.parseFloat(text) || 0) : text;
  };

  function sort(sorted, by) {
    if (sorted.now === by) return;
    sorted.now = by;
    const name = by.replace(/^-/, '');
    const head = sorted.heads.find((one) => one.dataset.column === name);
    for (const one of sorted.heads) {
      if (one === head) one.ariaSort = by.startsWith('-') ? 'descending' : 'ascending';
      else one.removeAttribute('aria-sort');
    }
    let parts = sorted.parts;
    if (head) {
      const sign = by.startsWith('-') ? -1 : 1;
      const keyed = parts.map((part) => [value(part, head.cellIndex, head.dataset.sort), part]);
      keyed.sort(([one], [other]) => sign * (one < other ? -1 : one > other ? 1 : 0));
      parts = keyed.map(([, part]) => part);
    }
    (parts[0]?.parentNode ?? sorted.table).append(...parts);
  }

  function apply() {
    const params = state();
    filter(params);
    for (const sorted of tables) sort(sorted, params.get(sorted.table.id) ?? '');
  }

  for (const sorted of tables) {
    for (const head of sorted.heads) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener('click', () => change((params) => {
        const { column, sort: kind } = head.dataset;
        const first = kind === 'number' ? `-${column}` : column;
        const second = kind === 'number' ? column : `-${column}`;
        const next = sorted.now === first ? second : sorted.now === second ? '' : first;
        if (next) params.set(sorted.table.id, next);
        else params.delete(sorted.table.id);
      }));
    }
  }

  async function copy(button) {
    const source = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(button.dataset.copy ?? source.textContent);
      button.textContent = 'copied';
    } catch {
      // Not every browser lets a page from disk write to the clipboard.
      getSelection().selectAllChildren(source);
      button.textContent = 'selected';
    }
    setTimeout(() => { button.textContent = 'copy'; }, 2000);
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('.copy');
    if (button) return void copy(button);
    const control = event.target.closest('[data-filter]');
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { pairs } = controls.find(({ element }) => element === control);
    change((params) => {
      const on = pairs.every(([key, value]) => params.get(key) === value);
      if (!pairs.length) for (const key of [...keys, 'q']) params.delete(key);
      for (const [key, value] of pairs) {
        if (on) params.delete(key);
        else params.set(key, value);
      }
    });
    if (control.localName === 'a') document.getElementById('groups')?.scrollIntoView();
  });
  search?.addEventListener('input', () => change((params) => {
    if (search.value) params.set('q', search.value);
    else params.delete('q');
  }, true));
  for (const { element, pairs } of controls) {
    if (element.localName === 'a') element.href = '#' + new URLSearchParams(pairs);
  }
  addEventListener('hashchange', apply);
  addEventListener('popstate', apply);
  apply();
}
