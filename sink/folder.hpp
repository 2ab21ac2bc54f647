// SPDX-FileCopyrightText: The Penstock authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace penstock {

// Makes the folder if need be, with those above it. Throws Error when files cannot be put there, so
// that nobody learns that after an hour of recording; `asked_by` names the option in the text.
void require_writable_folder(const std::string& path, std::string_view asked_by);

}  // namespace penstock
