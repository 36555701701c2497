"""
Makes the four files of the display font from the package @fontsource-variable/bricolage-grotesque (npm pack, 5.3.0):

    python3 app/platform/fonts/subset.py bricolage-grotesque-latin{,-ext}-wght-normal.woff2

Needs fonttools (4.68) and brotli. The files are committed, so the build needs neither.
"""

import string
import sys
from io import BytesIO

from fontTools.otlLib import builder
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.hvar import add_HVAR
from fontTools.varLib.instancer import instantiateVariableFont

# The weights of styles.css: quotations 400, subheadings 680, figures 700, headings 750.
WEIGHTS = (400, 750)
# Kerning that varies with the weight takes as many bytes as the outlines, so all weights use the kerning of this
# weight. At 680 and 750 the exact kerning differs from it by at most 8 units, at 400 by 5 units on average.
KERNING_WEIGHT = 720
# A unit is a thousandth of the font size. Kerning is rounded to a multiple of STEP units, and a rounded value below
# LEAST units is removed, because it is not visible.
STEP, LEAST = 4, 8
# In the basic file only pairs of these characters are kerned.
KERNED = string.ascii_letters + string.digits + " .,:;!?'\"-()/&%$+"

# ASCII, the middle dot, dashes, quotation marks, the ellipsis and the minus sign: statements and amounts have them.
BASIC = [*range(0x20, 0x7F), 0xB7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2212]

# The letters and marks that a language needs beside the basic file. A character must be in one file only.
TURKISH = [*map(ord, "çğıöşüâîÇĞİÖŞÜÂÎ")]
SPANISH = [*map(ord, "áéíóúñÁÉÍÓÚÑ¡¿ªº«»\u00a0")]

# The letters of Turkish that the package has in its file "latin-ext". They have no kerning.
EXTENDED = [*map(ord, "ĞğİŞş")]


def copy(font):
    data = BytesIO()
    font.flavor = None
    font.save(data)
    data.seek(0)
    return TTFont(data, recalcTimestamp=False)


def subset(font, characters):
    options = Options()
    options.layout_features = ["kern", "tnum"]
    options.notdef_outline = True
    options.name_IDs = [1, 2, 4, 6]
    # Without names, the glyphs of a font that is read again get names by position, and add_glyphs would take a glyph of
    # one font for the glyph of another font at the same position.
    options.glyph_names = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    return copy(font)


def kerning(font, kerned):
    """The kerning of each pair of the glyphs in `kerned`, in units."""
    pairs = {}
    for outer in font["GPOS"].table.LookupList.Lookup[0].SubTable:
        table = getattr(outer, "ExtSubTable", outer)
        for index, left in enumerate(table.Coverage.glyphs):
            if left not in kerned:
                continue
            if table.Format == 1:
                values = {record.SecondGlyph: record.Value1 for record in table.PairSet[index].PairValueRecord}
            else:
                of_left = table.Class1Record[table.ClassDef1.classDefs.get(left, 0)].Class2Record
                values = {right: of_left[table.ClassDef2.classDefs.get(right, 0)].Value1 for right in kerned}
            for right, value in values.items():
                # If several tables contain a pair, the first one applies.
                if right in kerned:
                    pairs.setdefault((left, right), getattr(value, "XAdvance", 0))
    rounded = {pair: round(value / STEP) * STEP for pair, value in pairs.items()}
    return {pair: value for pair, value in rounded.items() if abs(value) >= LEAST}


def equal_rows(names, others, value):
    """The names in groups that have the same values with all others."""
    groups = {}
    for name in names:
        groups.setdefault(tuple(value(name, other) for other in others), []).append(name)
    return [tuple(group) for group in groups.values()]


def kerning_lookup(font, pairs):
    lefts, rights = sorted({left for left, _ in pairs}), sorted({right for _, right in pairs})
    left_groups = equal_rows(lefts, rights, lambda left, right: pairs.get((left, right), 0))
    right_groups = equal_rows(rights, lefts, lambda right, left: pairs.get((left, right), 0))
    by_class = {
        (left, right): (builder.buildValue({"XAdvance": pairs[left[0], right[0]]}), None)
        for left in left_groups
        for right in right_groups
        if (left[0], right[0]) in pairs
    }
    return builder.buildLookup([builder.buildPairPosClassesSubtable(by_class, font.getReverseGlyphMap())])


def add_glyphs(font, other):
    """Adds the characters of `other`, a font with the same axes, with the glyphs that they are made of."""
    characters = {code: name for code, name in other.getBestCmap().items() if code not in font.getBestCmap()}
    glyphs, variations = other["glyf"], other["gvar"].variations
    names = set(characters.values())
    for name in characters.values():
        names.update(glyphs[name].getComponentNames(glyphs))
    present = set(font.getGlyphOrder())
    for name in sorted(names - present):
        font["glyf"][name] = glyphs[name]
        font["hmtx"].metrics[name] = other["hmtx"].metrics[name]
        font["gvar"].variations[name] = variations[name]
    for table in font["cmap"].tables:
        table.cmap.update(characters)
    # Writes the table of the widths again.
    add_HVAR(font)


def make(source, characters, path, other=None):
    font = subset(TTFont(source, recalcTimestamp=False), characters)
    fixed = instantiateVariableFont(copy(font), {"wght": KERNING_WEIGHT})
    font = instantiateVariableFont(font, {"wght": WEIGHTS})
    glyphs = font.getBestCmap()
    pairs = kerning(fixed, {glyphs[ord(one)] for one in KERNED} if 0x41 in glyphs else set(glyphs.values()))
    font["GPOS"] = fixed["GPOS"]
    font["GPOS"].table.LookupList.Lookup = [kerning_lookup(font, pairs)]
    if other:
        add_glyphs(font, instantiateVariableFont(subset(TTFont(other), EXTENDED), {"wght": WEIGHTS}))
    # The names are not needed in the file.
    font["post"].formatType = 3
    font.flavor = "woff2"
    font.save(path)


source = sys.argv[1]
rest = [code for code in TTFont(source).getBestCmap() if code not in BASIC + TURKISH + SPANISH]
make(source, BASIC, "app/platform/fonts/bricolage-grotesque-basic.woff2")
make(source, TURKISH, "app/platform/fonts/bricolage-grotesque-turkish.woff2", sys.argv[2])
make(source, SPANISH, "app/platform/fonts/bricolage-grotesque-spanish.woff2")
make(source, rest, "app/platform/fonts/bricolage-grotesque-latin.woff2")
