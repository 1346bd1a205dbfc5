// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Receipts of earn positions: one per user and product, bound to the wallet that subscribed.
/// @dev They are minted without the receiver's callback, so a contract wallet can hold one and no foreign code runs.
abstract contract EarnReceipt is ERC721 {
    uint128 private _lastTokenId;
    mapping(uint256 tokenId => uint256 productId) private _productOf;

    error ReceiptNotTransferable();

    constructor() ERC721("Bourse Earn Receipt", "BEARN") {}

    function productOf(uint256 tokenId) public view returns (uint256) {
        _requireOwned(tokenId);
        return _productOf[tokenId];
    }

    function _mintReceipt(address holder, uint256 productId) internal returns (uint128 tokenId) {
        tokenId = ++_lastTokenId;
        _productOf[tokenId] = productId;
        _mint(holder, tokenId);
    }

    function _burnReceipt(uint256 tokenId) internal {
        delete _productOf[tokenId];
        _burn(tokenId);
    }

    function _update(address to, uint256 tokenId, address auth) internal override returns (address) {
        if (to != address(0) && _ownerOf(tokenId) != address(0)) revert ReceiptNotTransferable();
        return super._update(to, tokenId, auth);
    }

    /// @dev Nobody is the only one a receipt may be approved for: that is how an approval is cleared.
    function _approve(address to, uint256 tokenId, address auth, bool isTold) internal override {
        if (to != address(0)) revert ReceiptNotTransferable();
        super._approve(to, tokenId, auth, isTold);
    }

    function _setApprovalForAll(address, address, bool) internal pure override {
        revert ReceiptNotTransferable();
    }
}
