// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace penstock {

class YamlFile;

// What is wrong with the text as a document, whatever its keys mean: nested too deep, too many
// aliases, more than one document (these throw YAML::ParserException, before anything is built from
// the text), and keys that are duplicates or no plain text (these become violations of `file`).
//
// Works on the parser's events, so that neither depth nor aliases cost it anything.
void check_yaml_structure(const std::string& text, YamlFile& file);

}  // namespace penstock
