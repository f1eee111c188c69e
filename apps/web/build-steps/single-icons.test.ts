import { expect, test } from 'vitest'
import { importSingly } from './single-icons.ts'

test('icons are imported one by one, types from the index', () => {
  const code = "import {\n  IconCheck,\n  type IconProps,\n} from '@tabler/icons-react'\nuse(IconCheck)\n"
  expect(importSingly(code)).toBe(
    "import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'; import type { IconProps } from '@tabler/icons-react';\n\n\n\nuse(IconCheck)\n",
  )
})

test('what is not an icon stays', () => {
  const code = "import { createReactComponent } from '@tabler/icons-react'"
  expect(importSingly(code)).toBe(code)
})
